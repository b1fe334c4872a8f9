import { SelectField, TextField } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import { type ServeDraft, wholeWeight } from './draft.ts'
import { isWhole, totalOf } from './is-complete.ts'
import { type VariationChoice, variationName } from './variation-name.ts'

type Variations = readonly VariationChoice[]

/** The choice "percentage" in the list of variations. Its value begins with a space, which no variation id has. */
const rolloutChoice = ' rollout'

/** Thousandths of a percent in a percent. */
const perPercent = wholeWeight / 100

/** Chooses what is served: one variation, or a share of the contexts for each. */
export function ServeFields({
  label,
  variations,
  serve,
  onChange,
}: {
  label: string
  variations: Variations
  serve: ServeDraft
  onChange: (serve: ServeDraft) => void
}) {
  const choose = (value: string) => {
    if (value !== rolloutChoice) onChange({ variationId: value })
    else if ('variationId' in serve)
      onChange({ weights: beginRollout(variations, serve.variationId), contextKind: 'user' })
  }
  return (
    <>
      <SelectField
        label={label}
        value={'variationId' in serve ? serve.variationId : rolloutChoice}
        onValue={choose}
        options={[
          ...variations.map((variation) => [variation._id, variationName(variation)] as const),
          [rolloutChoice, texts.targeting.rollout],
        ]}
      />
      {'weights' in serve && <RolloutFields variations={variations} serve={serve} onChange={onChange} />}
    </>
  )
}

/** Returns the weights of a new rollout: all weight for the variation that was served before. */
function beginRollout(variations: Variations, variationId: string): Record<string, number> {
  return Object.fromEntries(variations.map(({ _id }) => [_id, _id === variationId ? wholeWeight : 0]))
}

type RolloutDraft = Extract<ServeDraft, { readonly weights: unknown }>

function RolloutFields({
  variations,
  serve,
  onChange,
}: {
  variations: Variations
  serve: RolloutDraft
  onChange: (serve: ServeDraft) => void
}) {
  const set = (id: string, weight: number) =>
    onChange({ ...serve, weights: withWeight(serve.weights, variations, { id, weight }) })
  return (
    <div>
      {variations.map((variation) => {
        const name = variationName(variation)
        const weight = serve.weights[variation._id] ?? 0
        const share = { min: 0, max: 100, value: weight / perPercent, 'aria-label': texts.targeting.share(name) }
        return (
          <div key={variation._id} class="share">
            <span>{name}</span>
            <input
              {...share}
              type="range"
              step={1}
              onInput={(event) => set(variation._id, Math.round(event.currentTarget.valueAsNumber * perPercent))}
            />
            <span class="row middle">
              <input
                {...share}
                type="number"
                step={0.001}
                onInput={(event) => {
                  const percent = event.currentTarget.valueAsNumber
                  if (percent >= 0 && percent <= 100) set(variation._id, Math.round(percent * perPercent))
                }}
              />
              %
            </span>
          </div>
        )
      })}
      {!isWhole(serve) && (
        <p class="error" role="alert">
          {texts.targeting.total(String(totalOf(serve.weights) / perPercent))}
        </p>
      )}
      <div class="row">
        <TextField
          label={texts.targeting.contextKind}
          value={serve.contextKind}
          onValue={(contextKind) => onChange({ ...serve, contextKind })}
        />
        <TextField
          label={texts.targeting.bucketBy}
          value={serve.bucketBy ?? ''}
          onValue={(bucketBy) => onChange({ ...serve, bucketBy: bucketBy === '' ? undefined : bucketBy })}
        />
      </div>
    </div>
  )
}

/** The id of a variation, and its weight. */
export interface VariationWeight {
  readonly id: string
  readonly weight: number
}

/** Sets a weight. With two variations, the other variation gets the remaining weight. */
export function withWeight(
  weights: Readonly<Record<string, number>>,
  variations: readonly { readonly _id: string }[],
  { id, weight }: VariationWeight,
): Record<string, number> {
  const others = variations.filter((variation) => variation._id !== id)
  const [only] = others
  if (others.length === 1 && only) return { [id]: weight, [only._id]: wholeWeight - weight }
  return { ...weights, [id]: weight }
}
