import { useState } from 'preact/hooks'
import { TextArea, TextField } from '../components/fields.tsx'
import { readLines } from '../components/json-text.ts'
import { texts } from '../texts.ts'
import type { TargetDraft } from './draft.ts'
import { type VariationChoice, variationName } from './variation-name.ts'

/** Edits the keys that get a variation individually, by kind of context. */
export function TargetFields({
  variations,
  targets,
  onChange,
}: {
  variations: readonly VariationChoice[]
  targets: readonly TargetDraft[]
  onChange: (targets: readonly TargetDraft[]) => void
}) {
  const [addedKinds, setAddedKinds] = useState<readonly string[]>([])
  const [newKind, setNewKind] = useState('')
  const kinds = [...new Set(['user', ...targets.map(({ contextKind }) => contextKind), ...addedKinds])]
  const set = (contextKind: string, variationId: string, values: readonly string[]) => {
    const isOther = (target: TargetDraft) => target.contextKind !== contextKind || target.variationId !== variationId
    onChange([...targets.filter(isOther), ...(values.length === 0 ? [] : [{ contextKind, variationId, values }])])
  }
  return (
    <>
      {kinds.map((contextKind) => (
        <fieldset key={contextKind}>
          <legend>{contextKind}</legend>
          {variations.map((variation) => (
            <LinesField
              key={variation._id}
              label={texts.targeting.targetKeys(variationName(variation))}
              help={texts.targeting.targetHelp}
              values={targets
                .filter((target) => target.contextKind === contextKind && target.variationId === variation._id)
                .flatMap(({ values }) => values)}
              onValues={(values) => set(contextKind, variation._id, values)}
            />
          ))}
        </fieldset>
      ))}
      <div class="row">
        <TextField label={texts.targeting.contextKind} value={newKind} onValue={setNewKind} />
        <button
          type="button"
          disabled={newKind.trim() === ''}
          onClick={() => {
            setAddedKinds([...addedKinds, newKind.trim()])
            setNewKind('')
          }}
        >
          {texts.targeting.addTargets}
        </button>
      </div>
    </>
  )
}

/** A list of texts, one in each line. It keeps unfinished lines while the person types. */
export function LinesField({
  label,
  help,
  values,
  onValues,
  error,
}: {
  label: string
  help?: string
  values: readonly string[]
  onValues: (values: readonly string[]) => void
  error?: string | undefined
}) {
  const [text, setText] = useState(values.join('\n'))
  const displayedText = readLines(text).join('\n') === values.join('\n') ? text : values.join('\n')
  return (
    <TextArea
      label={label}
      help={help}
      error={error}
      rows={Math.min(6, Math.max(2, values.length))}
      value={displayedText}
      onValue={(value) => {
        setText(value)
        onValues(readLines(value))
      }}
    />
  )
}
