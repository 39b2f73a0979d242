"""The events that the store has already."""
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    operations = [
        migrations.CreateModel(
            name="Event",
            fields=[
                ("key", models.AutoField(primary_key=True, db_column="Z_PK")),
                ("count", models.IntegerField(db_column="ZCOUNT")),
                ("is_read", models.IntegerField(db_column="ZISREAD")),
                ("place", models.TextField(db_column="ZPLACE")),
                ("score", models.FloatField(db_column="ZSCORE")),
                ("time", models.FloatField(db_column="ZTIMESTAMP")),
                ("title", models.TextField(db_column="ZTITLE")),
            ],
            options={"db_table": "ZEVENT", "managed": False}),
    ]
