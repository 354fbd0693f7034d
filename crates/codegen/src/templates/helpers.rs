//! The helpers that templates have beside those of handlebars.

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, JsonTruthy, Output, RenderContext,
    RenderErrorReason, Renderable, StringOutput,
};

/// `if` and `unless`, which reject a name that the view does not have. Those of handlebars take it as
/// false, also in strict mode.
pub(super) struct ConditionHelper {
    /// What the value must be for the first block to be printed.
    pub(super) wanted: bool,
}

impl HelperDef for ConditionHelper {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        context: &'rc Context,
        state: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let value = helper.param(0);
        let value = value.ok_or(RenderErrorReason::ParamNotFoundForIndex("if", 0))?;
        if value.is_value_missing() {
            let name = value.relative_path().cloned();
            return Err(RenderErrorReason::MissingVariable(name).into());
        }
        let block = if value.value().is_truthy(false) == self.wanted {
            helper.template()
        } else {
            helper.inverse()
        };
        block.map_or(Ok(()), |block| block.render(registry, context, state, out))
    }
}

/// A helper that spells its argument, a text, in the language; as a block, what is printed in it.
pub(super) struct SpellingHelper {
    pub(super) spell: fn(&str) -> String,
}

impl HelperDef for SpellingHelper {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        context: &'rc Context,
        state: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        if let Some(block) = helper.template() {
            let mut inner = StringOutput::new();
            block.render(registry, context, state, &mut inner)?;
            out.write(&(self.spell)(&inner.into_string()?))?;
            return Ok(());
        }
        let value = helper.param(0);
        let value = value.ok_or(RenderErrorReason::ParamNotFoundForIndex("spelling", 0))?;
        if value.is_value_missing() {
            let name = value.relative_path().cloned();
            return Err(RenderErrorReason::MissingVariable(name).into());
        }
        let text = value.value().as_str();
        let text = text.ok_or(RenderErrorReason::InvalidParamType("a text"))?;
        out.write(&(self.spell)(text))?;
        Ok(())
    }
}
