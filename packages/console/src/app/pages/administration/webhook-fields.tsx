import type { api } from '../../api.ts'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { readJson } from '../../components/json-text.ts'
import { texts } from '../../texts.ts'

type NewWebhook = Parameters<typeof api.createWebhook>[0]['body']

/** Format of the messages of a webhook; empty for entries of the change log. */
export type WebhookFormat = keyof typeof texts.webhooks.formats

const { webhooks } = texts

/** Fields for the address and the format of messages. */
export function AddressFields({
  url,
  format,
  onUrl,
  onFormat,
}: {
  url: string
  format: WebhookFormat
  onUrl: (url: string) => void
  onFormat: (format: WebhookFormat) => void
}) {
  return (
    <>
      <TextField label={webhooks.url} value={url} onValue={onUrl} placeholder="https://" required />
      <SelectField
        label={webhooks.format}
        help={webhooks.formatHelp[format]}
        value={format}
        onValue={onFormat}
        options={Object.entries(webhooks.formats) as [WebhookFormat, string][]}
      />
    </>
  )
}

/** A field for the statements that select changes. */
export function StatementsField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const read = readStatements(text)
  return (
    <TextArea
      label={webhooks.statements}
      help={webhooks.statementsHelp}
      error={'error' in read ? texts.variations.invalidJson(read.error) : undefined}
      value={text}
      onValue={onText}
      rows={6}
      code
    />
  )
}

/** Parses statements; an empty text is an empty list. */
export function readStatements(
  text: string,
): { readonly value: NonNullable<NewWebhook['statements']> } | { readonly error: string } {
  if (text.trim() === '') return { value: [] }
  const read = readJson(text)
  // Cast: the API validates statements, and its errors name the invalid one.
  return 'error' in read ? read : { value: read.value as NonNullable<NewWebhook['statements']> }
}
