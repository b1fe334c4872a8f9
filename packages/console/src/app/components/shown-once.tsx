import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'

/** A secret that only one response contains. It is removed from the page by its button, or by leaving the page. */
export function ShownOnce({ label, value, onDone }: { label: string; value: string; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <section class="panel once" aria-label={label}>
      <h2>{label}</h2>
      <p>{texts.once.help}</p>
      <pre>{value}</pre>
      <div class="row">
        <button type="button" onClick={() => void copy()}>
          {copied ? texts.once.copied : texts.once.copy}
        </button>
        <button type="button" onClick={onDone}>
          {texts.once.done}
        </button>
      </div>
    </section>
  )
}
