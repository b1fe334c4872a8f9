import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { TextField } from '../../components/fields.tsx'
import { announce } from '../../notices.ts'
import { texts } from '../../texts.ts'
import { keyFor } from '../create-flag.tsx'

const { workflows } = texts

type TemplateInput = Parameters<typeof api.createWorkflowTemplate>[0]['body']

/** Form that creates a workflow template from stages, or from a workflow that has stages. */
export function TemplateForm({
  name: initialName,
  description: initialDescription,
  source,
  isComplete = true,
  onClose,
  children,
}: {
  name: string
  description: string
  /** Returns the stages, or the workflow that has them. */
  source: () => Omit<TemplateInput, 'name' | 'key' | 'description'>
  /** False while the source cannot be sent. Default: true. */
  isComplete?: boolean
  onClose: () => void
  /** Fields of the source. Default: no fields. */
  children?: ComponentChildren
}) {
  const [name, setName] = useState(initialName)
  const [key, setKey] = useState<string | undefined>(undefined)
  const [description, setDescription] = useState(initialDescription)
  const save = async () => {
    const body = { name, key: key ?? keyFor(name), ...(description === '' ? {} : { description }) }
    await api.createWorkflowTemplate({ body: { ...body, ...source() } })
    announce(workflows.saved)
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose} disabled={!isComplete}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={key ?? keyFor(name)} onValue={setKey} required />
      <TextField label={texts.description} value={description} onValue={setDescription} />
      {children}
    </ActionForm>
  )
}
