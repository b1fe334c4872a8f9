import { useState } from 'preact/hooks'
import type { Flag } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ReviewDialog } from '../review/review-dialog.tsx'
import { type FlagPlace, flagChange } from '../review/reviewed-change.ts'
import { sameJson } from '../targeting/draft.ts'
import type { Instruction } from '../targeting/instructions-of.ts'
import { texts } from '../texts.ts'
import { kindOf, readValue, type VariationDraft, VariationFields, type VariationKind } from './variation-fields.tsx'

/** The variations of a flag, with an editor for each type of value. */
export function VariationsPanel({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const kind = kindOf(flag.variations.map(({ value }) => value))
  const [drafts, setDrafts] = useState<readonly VariationDraft[]>(() => draftsOf(flag))
  const [review, setReview] = useState<readonly Instruction[] | undefined>(undefined)
  const instructions = variationInstructions(flag, drafts, kind)
  return (
    <section class="panel">
      <VariationFields kind={kind} variations={drafts} onChange={setDrafts} />
      {instructions === undefined && <p class="error">{texts.targeting.stillInvalid}</p>}
      {instructions !== undefined && instructions.length > 0 && (
        <div class="row">
          <ActionButton
            label={texts.targeting.review}
            action="updateFlagVariations"
            resource={`proj/${place.project}:env/*:flag/${place.flag}`}
            kind="primary"
            onClick={() => setReview(instructions)}
          />
          <button type="button" onClick={() => setDrafts(draftsOf(flag))}>
            {texts.targeting.discard}
          </button>
        </div>
      )}
      {review && <ReviewDialog change={flagChange(place, review)} onClose={() => setReview(undefined)} />}
    </section>
  )
}

function draftsOf({ variations }: Flag): VariationDraft[] {
  return variations.map(({ _id, name = '', value }) => ({
    id: _id,
    _id,
    name,
    value:
      typeof value === 'string' && kindOf(variations.map((each) => each.value)) === 'string'
        ? value
        : JSON.stringify(value, null, 2),
  }))
}

/** Returns the instructions that change the variations; undefined when a value is invalid. */
function variationInstructions(
  { variations }: Flag,
  drafts: readonly VariationDraft[],
  kind: VariationKind,
): readonly Instruction[] | undefined {
  const instructions: Instruction[] = []
  for (const { _id, name, value: text } of drafts) {
    const read = readValue(text, kind)
    if ('error' in read) return undefined
    const before = variations.find((variation) => variation._id === _id)
    if (!before) instructions.push({ kind: 'addVariation', value: read.value, ...(name === '' ? {} : { name }) })
    else if (!sameJson(before.value, read.value) || (before.name ?? '') !== name)
      instructions.push({
        kind: 'updateVariation',
        variationId: _id,
        value: read.value,
        ...(name === '' ? {} : { name }),
      })
  }
  const removed = variations.filter(({ _id }) => !drafts.some((draft) => draft._id === _id))
  return [...instructions, ...removed.map(({ _id }) => ({ kind: 'removeVariation', variationId: _id }))]
}
