import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { CheckField, SelectField, TextField } from '../components/fields.tsx'
import { readTags } from '../components/json-text.ts'
import { hrefOf, navigate } from '../navigation.tsx'
import { texts } from '../texts.ts'
import {
  emptyVariations,
  readVariations,
  type VariationDraft,
  VariationFields,
  type VariationKind,
} from './variation-fields.tsx'

/** A form that creates a flag, and goes to its page. */
export function CreateFlagDialog({
  project,
  environment,
  onClose,
}: {
  project: string
  environment: string
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [tags, setTags] = useState('')
  const [temporary, setTemporary] = useState(true)
  const [kind, setKind] = useState<VariationKind>('boolean')
  const [variations, setVariations] = useState<readonly VariationDraft[]>(emptyVariations('boolean'))
  const flagKey = key ?? keyFor(name)
  const values = readVariations(variations, kind)
  const create = async () => {
    const body = { key: flagKey, name, tags: readTags(tags), temporary }
    await api.createFlag({
      projectKey: project,
      body: kind === 'boolean' ? body : { ...body, variations: values ?? [] },
    })
    onClose()
    navigate(hrefOf('flag', { project, environment, flag: flagKey }))
  }
  return (
    <Dialog title={texts.flags.create} onClose={onClose}>
      <ActionForm submit={texts.create} onSubmit={create} disabled={values === undefined}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <TextField
          label={texts.key}
          help={texts.keyHelp}
          value={flagKey}
          onValue={setKey}
          required
          pattern="[A-Za-z0-9._\-]+"
        />
        <TextField label={texts.tags} help={texts.tagsHelp} value={tags} onValue={setTags} />
        <CheckField label={texts.flags.temporary} checked={temporary} onChecked={setTemporary} />
        <SelectField
          label={texts.flags.kind}
          value={kind}
          onValue={(value) => {
            setKind(value)
            setVariations(emptyVariations(value))
          }}
          options={Object.entries(texts.flags.kinds) as [VariationKind, string][]}
        />
        {kind !== 'boolean' && <VariationFields kind={kind} variations={variations} onChange={setVariations} />}
      </ActionForm>
    </Dialog>
  )
}

/** Proposes a key for a name. */
export function keyFor(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
