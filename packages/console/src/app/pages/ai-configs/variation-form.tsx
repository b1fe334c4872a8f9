import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { listAll } from '../../list-all.ts'
import { ReviewDialog } from '../../review/review-dialog.tsx'
import { type AIConfigPlace, aiVariationChange, type ReviewedChange } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'

type AIConfig = ResponseOf<'getAIConfig'>
type Variation = AIConfig['variations'][number]

/** A message of a prompt. */
interface Message {
  readonly role: string
  readonly content: string
}

const { aiConfigs } = texts

/** Creates or edits a variation of an AI config: each save makes a version of it. */
export function VariationForm({
  place,
  mode,
  variation,
  onClose,
}: {
  place: AIConfigPlace
  mode: AIConfig['mode']
  variation?: Variation
  onClose: () => void
}) {
  const [name, setName] = useState(variation?.name ?? '')
  const [messages, setMessages] = useState<readonly Message[]>(variation?.messages ?? [{ role: 'system', content: '' }])
  const [instructions, setInstructions] = useState(variation?.instructions ?? '')
  const [model, setModel] = useState(variation?.modelConfigKey ?? '')
  const [reviewed, setReviewed] = useState<ReviewedChange | undefined>(undefined)
  const keys = { projectKey: place.project, configKey: place.config }
  const models = useQuery(`model configs ${place.project}`, () =>
    listAll((page) => api.listModelConfigs({ projectKey: place.project, ...page })),
  )
  const save = async () => {
    const prompt = mode === 'agent' ? { instructions } : { messages: [...messages] }
    const body = { name, ...prompt, ...(model === '' ? {} : { modelConfigKey: model }) }
    if (variation) setReviewed(aiVariationChange(place, variation.key, body))
    else {
      await api.createAIConfigVariation({ ...keys, body: { ...body, key: keyFor(name) } })
      onClose()
    }
  }
  const keysOfModels = (models.data ?? []).map(({ key }) => key)
  const modelKeys = model === '' || keysOfModels.includes(model) ? keysOfModels : [model, ...keysOfModels]
  return (
    <>
      <ActionForm submit={variation ? texts.targeting.review : texts.create} onSubmit={save} onCancel={onClose}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <SelectField
          label={aiConfigs.model}
          value={model}
          onValue={setModel}
          options={[['', aiConfigs.noModel], ...modelKeys.map((key) => [key, key] as const)]}
        />
        {mode === 'agent' ? (
          <TextArea
            label={aiConfigs.instructions}
            help={aiConfigs.placeholders}
            value={instructions}
            onValue={setInstructions}
            rows={10}
            code
          />
        ) : (
          <MessageFields messages={messages} onChange={setMessages} />
        )}
      </ActionForm>
      {reviewed && <ReviewDialog change={reviewed} onClose={() => setReviewed(undefined)} onDone={onClose} />}
    </>
  )
}

const roles = ['system', 'user', 'assistant'] as const

function MessageFields({
  messages,
  onChange,
}: {
  messages: readonly Message[]
  onChange: (messages: readonly Message[]) => void
}) {
  const change = (position: number, changes: Partial<Message>) =>
    onChange(messages.map((message, index) => (index === position ? { ...message, ...changes } : message)))
  return (
    <>
      <p class="quiet">{aiConfigs.placeholders}</p>
      {messages.map(({ role, content }, index) => (
        // A message has no id. Fields keep no state, so the position is enough.
        <div key={index} class="entry">
          <SelectField
            label={aiConfigs.role(index + 1)}
            value={role}
            onValue={(value) => change(index, { role: value })}
            options={roles.map((each) => [each, aiConfigs.roles[each]] as const)}
          />
          <TextArea
            label={aiConfigs.content(index + 1)}
            value={content}
            onValue={(value) => change(index, { content: value })}
            rows={6}
            code
          />
          <button type="button" onClick={() => onChange(messages.filter((_, position) => position !== index))}>
            {aiConfigs.removeMessage(index + 1)}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...messages, { role: 'user', content: '' }])}>
        {aiConfigs.addMessage}
      </button>
    </>
  )
}
