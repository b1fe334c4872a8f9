import { useState } from 'preact/hooks'
import { api, type Flag } from '../api.ts'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { hrefOf, navigate } from '../navigation.tsx'
import type { FlagPlace } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { keyFor } from './create-flag.tsx'

/** Copies a flag under another key. */
export function CloneDialog({ place, flag, onClose }: { place: FlagPlace; flag: Flag; onClose: () => void }) {
  const [name, setName] = useState(texts.flag.cloneOf(flag.name))
  const [key, setKey] = useState(keyFor(`${flag.key}-copy`))
  const clone = async () => {
    await api.createFlag({ projectKey: place.project, clone: place.flag, body: { key, name } })
    onClose()
    navigate(hrefOf('flag', { ...place, flag: key }))
  }
  return (
    <Dialog title={texts.flag.clone} onClose={onClose}>
      <ActionForm submit={texts.flag.clone} onSubmit={clone} onCancel={onClose}>
        <TextField label={texts.name} value={name} onValue={setName} required />
        <TextField label={texts.key} help={texts.keyHelp} value={key} onValue={setKey} required />
      </ActionForm>
    </Dialog>
  )
}

/** Deletes a flag after the person has confirmed it. */
export function DeleteDialog({ place, onClose }: { place: FlagPlace; onClose: () => void }) {
  const remove = async () => {
    await api.deleteFlag({ projectKey: place.project, flagKey: place.flag })
    onClose()
    navigate(hrefOf('flags', { project: place.project, environment: place.environment }))
  }
  return (
    <Dialog title={texts.flag.remove} onClose={onClose}>
      <ActionForm submit={texts.flag.remove} onSubmit={remove} onCancel={onClose} danger>
        <p>{texts.flag.confirmRemoval(place.flag)}</p>
      </ActionForm>
    </Dialog>
  )
}
