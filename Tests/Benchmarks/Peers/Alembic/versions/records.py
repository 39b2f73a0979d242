"""Makes records of the events."""
import sqlalchemy as sa
from alembic import op

revision = "records"
down_revision = None

event = sa.table(
    "ZEVENT",
    *(sa.column(name) for name in
      ("Z_PK", "ZCOUNT", "ZISREAD", "ZPLACE", "ZSCORE", "ZTIMESTAMP", "ZTITLE")))


def upgrade():
    record = op.create_table(
        "ZRECORD", sa.Column("Z_PK", sa.Integer, primary_key=True), sa.Column("Z_ENT", sa.Integer),
        sa.Column("Z_OPT", sa.Integer), sa.Column("ZISUNREAD", sa.Integer),
        sa.Column("ZNUMBER", sa.BigInteger), sa.Column("ZSECONDS", sa.Float),
        sa.Column("ZSHARE", sa.Float), sa.Column("ZHEADLINE", sa.String),
        sa.Column("ZLOCATION", sa.String))
    rows = op.get_bind().execute(sa.select(event).order_by(event.c.Z_PK))
    for part in rows.partitions(10_000):
        op.bulk_insert(record, [
            {
                "Z_PK": row.Z_PK,
                "Z_ENT": 1,
                "Z_OPT": 1,
                "ZISUNREAD": 1 - row.ZISREAD,
                "ZNUMBER": row.ZCOUNT * 2 + 1,
                "ZSECONDS": row.ZTIMESTAMP + 978307200.0,
                "ZSHARE": row.ZSCORE / 100.0,
                "ZHEADLINE": row.ZTITLE,
                "ZLOCATION": row.ZPLACE,
            }
            for row in part
        ])
    op.drop_table("ZEVENT")
