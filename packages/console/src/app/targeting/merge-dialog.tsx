import { useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { texts } from '../texts.ts'
import type { Choices, MergeConflict } from './merge-drafts.ts'

/** Shows each part that two people changed, with the original and both new values, and lets the person choose. */
export function MergeDialog({
  conflicts,
  onResolve,
}: {
  conflicts: readonly MergeConflict[]
  onResolve: (choices: Choices) => void
}) {
  const [choices, setChoices] = useState<Choices>({})
  const { merge } = texts
  return (
    <Dialog title={merge.title} onClose={() => onResolve(choices)} wide>
      <p>{merge.help}</p>
      {conflicts.map(({ part, base, yours, theirs }) => {
        const name = merge.parts[part]
        const choice = choices[part] ?? 'theirs'
        return (
          <fieldset key={part}>
            <legend>{name}</legend>
            <dl>
              <Value title={merge.base} value={base} />
              <Value title={merge.yours} value={yours} />
              <Value title={merge.theirs} value={theirs} />
            </dl>
            {(['theirs', 'yours'] as const).map((side) => (
              <label key={side} class="check">
                <input
                  type="radio"
                  name={part}
                  checked={choice === side}
                  onChange={() => setChoices({ ...choices, [part]: side })}
                />
                {side === 'yours' ? merge.keepYours(name) : merge.keepTheirs(name)}
              </label>
            ))}
          </fieldset>
        )
      })}
      <button type="button" class="primary" onClick={() => onResolve(choices)}>
        {texts.save}
      </button>
    </Dialog>
  )
}

function Value({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <pre>{JSON.stringify(value, null, 1)}</pre>
      </dd>
    </>
  )
}
