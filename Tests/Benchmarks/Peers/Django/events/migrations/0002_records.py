"""Makes records of the events."""
from itertools import islice

from django.db import migrations, models


def make_records(apps, schema_editor):
    event = apps.get_model("events", "Event")
    record = apps.get_model("events", "Record")
    # The backend would read the column of type TIMESTAMP as text, so SQL adds the seconds.
    events = event.objects.order_by("key").defer("time").annotate(
        seconds=models.F("time") + 978307200.0)
    records = (
        record(
            key=one.key, entity=1, version=1, headline=one.title, is_unread=1 - one.is_read,
            location=one.place, number=one.count * 2 + 1, seconds=one.seconds,
            share=one.score / 100.0)
        for one in events.iterator(chunk_size=10_000))
    while batch := list(islice(records, 10_000)):
        record.objects.bulk_create(batch)


class Migration(migrations.Migration):
    dependencies = [("events", "0001_events")]
    operations = [
        migrations.CreateModel(
            name="Record",
            fields=[
                ("key", models.AutoField(primary_key=True, db_column="Z_PK")),
                ("entity", models.IntegerField(db_column="Z_ENT")),
                ("version", models.IntegerField(db_column="Z_OPT")),
                ("headline", models.TextField(db_column="ZHEADLINE")),
                ("is_unread", models.IntegerField(db_column="ZISUNREAD")),
                ("location", models.TextField(db_column="ZLOCATION")),
                ("number", models.BigIntegerField(db_column="ZNUMBER")),
                ("seconds", models.FloatField(db_column="ZSECONDS")),
                ("share", models.FloatField(db_column="ZSHARE")),
            ],
            options={"db_table": "ZRECORD"}),
        migrations.RunPython(make_records),
        migrations.RunSQL("DROP TABLE ZEVENT"),
    ]
