"""How a trial ends."""

import shutil

# So many findings are told one by one.
TOLD = 20


def conclude(name, found, folder, keeps=False):
    """Tells what was found, keeps the folder of a trial with findings, and returns the exit status."""
    for sentence in found[:TOLD]:
        print(f"  WRONG: {sentence}")
    if found or keeps:
        print(f"  kept: {folder}")
    else:
        shutil.rmtree(folder)
    print(f"{name}: {len(found)} findings")
    return 1 if found else 0
