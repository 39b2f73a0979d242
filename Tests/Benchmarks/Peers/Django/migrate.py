"""Runs the app's migrations on the store STORE."""
import sys

import django
from django.conf import settings
from django.core.management import call_command

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1]}},
    INSTALLED_APPS=["events"], USE_TZ=True)
django.setup()
call_command("migrate", verbosity=0)
