//! Types that refer to those of another schema file, and are named as words of Rust and of the runtime.

use orders::{Class, Document, Order, Payment};

#[test]
fn documents_of_several_files_survive() {
    for (text, class) in [
        (
            r#"{"payment":{"by":"card","number":"1"},"Class":{"From":"a"}}"#,
            r#"{"From":"a"}"#,
        ),
        (r#"{"payment":{"by":"cash"},"Class":{}}"#, "{}"),
    ] {
        let order = Order::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(order.to_json().as_deref(), Ok(text));
        assert_eq!(Class::from_json(class).as_ref(), Ok(&order.class));
    }
    let payment = Payment::from_json(r#"{"by":"cash"}"#).expect("a payment");
    assert_eq!(payment.tag(), "cash");
    let wrong = Document::read("Order", r#"{"payment":{"by":"card"},"Class":{}}"#);
    let rejection = wrong.expect("a root type").expect_err("no number");
    assert_eq!(rejection.at, "/payment/number");
}
