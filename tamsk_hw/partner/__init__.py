"""A program that plays TAMSK: it looks at the referee's view and says what it means to do (docs/partner.md)."""

from tamsk_hw.partner.intention import Intention, Strength
from tamsk_hw.partner.partner import Partner

__all__ = ["Intention", "Partner", "Strength"]
