import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../api.ts'
import { ActionForm } from '../components/action-form.tsx'
import { DataTable } from '../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../components/dialog-action.tsx'
import { TextField } from '../components/fields.tsx'
import { ListView } from '../components/list-view.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { texts } from '../texts.ts'
import { useList } from '../use-list.ts'
import { keyFor } from './create-flag.tsx'

type ContextKind = ResponseOf<'listContextKinds'>['items'][number]

const { contextKinds } = texts

/** The kinds of contexts of a project. */
export function ContextKindsPage({ params: { project = '' } }: { params: Readonly<Record<string, string>> }) {
  const list = useList(`context kinds ${project}`, (page) => api.listContextKinds({ projectKey: project, ...page }))
  return (
    <>
      <PageTitle title={contextKinds.title}>
        <DialogAction
          label={contextKinds.create}
          action="createContextKind"
          resource={`proj/${project}:context-kind/*`}
          kind="primary"
        >
          {(close) => <CreateForm project={project} onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={contextKinds.title}
            columns={contextKinds.columns}
            empty={contextKinds.empty}
            rows={items.map((kind) => ({ key: kind.key, cells: cellsOf(project, kind) }))}
          />
        )}
      </ListView>
    </>
  )
}

function cellsOf(project: string, { key, name, description, archived, hideInTargeting, version }: ContextKind) {
  const label = archived ? contextKinds.restore : contextKinds.archive
  return [
    name,
    <code key="key">{key}</code>,
    [...(archived ? [contextKinds.archived] : []), ...(hideInTargeting ? [contextKinds.hidden] : [])].join(', '),
    <ConfirmedAction
      key="archive"
      label={label}
      action="updateContextKind"
      resource={`proj/${project}:context-kind/${key}`}
      question={contextKinds.question(label, name)}
      run={() =>
        api.putContextKind({
          projectKey: project,
          key,
          body: { name, description, hideInTargeting, archived: !archived, version },
        })
      }
    />,
  ]
}

function CreateForm({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const kindKey = key ?? keyFor(name)
  const create = async () => {
    await api.putContextKind({ projectKey: project, key: kindKey, body: { name } })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={kindKey} onValue={setKey} required />
    </ActionForm>
  )
}
