import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { CheckField, SelectField, TextField } from '../../components/fields.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { keyFor } from '../create-flag.tsx'

const { metrics } = texts

/** The metrics of a project. */
export function MetricsPage({ params: { project = '' } }: { params: Readonly<Record<string, string>> }) {
  const list = useList(`metrics page ${project}`, (page) => api.getMetrics({ projectKey: project, ...page }))
  return (
    <>
      <PageTitle title={metrics.title}>
        <DialogAction label={metrics.create} action="createMetric" resource={`proj/${project}:metric/*`} kind="primary">
          {(close) => <CreateForm project={project} onClose={close} />}
        </DialogAction>
      </PageTitle>
      <ListView list={list}>
        {(items) => (
          <DataTable
            label={metrics.title}
            columns={metrics.columns}
            empty={metrics.empty}
            rows={items.map(({ key, name, kind, eventKey, successCriteria }) => ({
              key,
              cells: [
                name || key,
                kind,
                eventKey && <code>{eventKey}</code>,
                metrics.successes[successCriteria],
                <ConfirmedAction
                  key="remove"
                  label={metrics.remove}
                  action="deleteMetric"
                  resource={`proj/${project}:metric/${key}`}
                  danger
                  question={metrics.removeQuestion(name || key)}
                  run={() => api.deleteMetric({ projectKey: project, metricKey: key })}
                />,
              ],
            }))}
          />
        )}
      </ListView>
    </>
  )
}

function CreateForm({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [eventKey, setEventKey] = useState('')
  const [isNumeric, setNumeric] = useState(false)
  const [unit, setUnit] = useState('')
  const [success, setSuccess] = useState<keyof typeof metrics.successes>('HigherThanBaseline')
  const create = async () => {
    const measure = isNumeric ? { isNumeric, unit } : { isNumeric }
    const body = { key: keyFor(name), name, kind: 'custom' as const, eventKey, successCriteria: success, ...measure }
    await api.postMetric({ projectKey: project, body })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={metrics.event} value={eventKey} onValue={setEventKey} required />
      <CheckField label={metrics.numeric} checked={isNumeric} onChecked={setNumeric} />
      {isNumeric && <TextField label={metrics.unit} value={unit} onValue={setUnit} />}
      <SelectField
        label={metrics.success}
        value={success}
        onValue={setSuccess}
        options={[
          ['HigherThanBaseline', metrics.successes.HigherThanBaseline],
          ['LowerThanBaseline', metrics.successes.LowerThanBaseline],
        ]}
      />
    </ActionForm>
  )
}
