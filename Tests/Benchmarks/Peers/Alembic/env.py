"""Runs the migrations on the store that `-x store=PATH` names."""
import sqlalchemy
from alembic import context

engine = sqlalchemy.create_engine(f"sqlite:///{context.get_x_argument(as_dictionary=True)['store']}")
with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
