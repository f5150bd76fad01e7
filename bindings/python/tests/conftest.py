"""What all tests share: an empty engine."""

import pytest
from honeyguide import Honeyguide


@pytest.fixture
def hg():
    return Honeyguide()
