"""A program that plays TAMSK: it looks at the referee's view and says what it means to do (docs/partner.md)."""

from tamsk_hw.partner.intention import Intention
from tamsk_hw.partner.partner import Partner
from tamsk_hw.partner.strength import Strength

__all__ = ["Intention", "Partner", "Strength"]
