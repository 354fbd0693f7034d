"""What users of a closed union write, for type checkers: it has the variants that the schema names, and no others."""

from __future__ import annotations

from typing_extensions import assert_never, assert_type
from variants import AnyPayment, AnyPayment_, Card, Cash, Order, Payment, Rich


def of(payment: AnyPayment_) -> str:
    """Returns from each variant."""
    match payment:
        case Card():
            return payment.number
        case Cash():
            return "cash"


def paid(order: Order, text: str) -> str:
    """Takes the union of a member, of a list and of a document."""
    for payment in (order.paid, *order.parts, Payment.from_json(text)):
        match payment:
            case Card() | Cash():
                print(of(payment))
            case _:
                assert_never(payment)
    match order.refunded:
        case Card() | Cash() | None:
            return ""
        case _:
            assert_never(order.refunded)


def without_discriminator(order: Order) -> str:
    """Tells apart what nothing but its kind distinguishes."""
    match order.note:
        case str():
            return order.note
        case Rich():
            return order.note.markup
        case list():
            return "".join(order.note)
        case None:
            return ""
        case _:
            assert_never(order.note)


class OwnCard(Card):
    """A variant with something more."""


def types() -> None:
    """Reads a class as itself."""
    assert_type(Payment.from_json(b""), AnyPayment_)
    assert_type(Card.from_json(""), Card)
    assert_type(OwnCard.from_json(""), OwnCard)
    assert_type(AnyPayment.from_json("").bytes, str | None)


def forgetful(order: Order) -> None:
    """Forgets a variant."""
    match order.paid:
        case Card():
            pass
        case _:
            assert_never(order.paid)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
