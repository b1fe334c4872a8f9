import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { SelectField, TextArea, TextField } from '../../components/fields.tsx'
import { readLines, readTags } from '../../components/json-text.ts'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'
import { readStages, stageText } from './stages.ts'

type Policy = ResponseOf<'listReleasePolicies'>['items'][number]

const { releases } = texts
const methods = ['immediate-release', 'progressive-release', 'guarded-release'] as const

type Method = (typeof methods)[number]

/** The release policies of a project, in the order in which they apply. */
export function PolicyTable({ project }: { project: string }) {
  const policies = useQuery(`release policies ${project}`, () =>
    listAll((page) => api.listReleasePolicies({ projectKey: project, ...page })),
  )
  return (
    <>
      <div class="row middle">
        <h2>{releases.policies}</h2>
        <DialogAction
          label={releases.createPolicy}
          action="createReleasePolicy"
          resource={`proj/${project}:release-policy/*`}
        >
          {(close) => <CreateForm project={project} onClose={close} />}
        </DialogAction>
      </div>
      <section class="panel">
        <QueryView query={policies}>
          {(items) => (
            <DataTable
              label={releases.policies}
              columns={releases.policyColumns}
              empty={releases.noPolicies}
              rows={items.map((policy) => ({ key: policy.key, cells: cellsOf(project, policy) }))}
            />
          )}
        </QueryView>
      </section>
    </>
  )
}

function cellsOf(project: string, policy: Policy) {
  const { key, name, releaseMethod, scope, progressiveReleaseConfig, guardedReleaseConfig } = policy
  const { stages = [] } = guardedReleaseConfig ?? progressiveReleaseConfig ?? {}
  return [
    name,
    releases.methods[releaseMethod],
    [...(scope?.environmentKeys ?? []), ...(scope?.flagTagKeys ?? [])].join(', ') || releases.everywhere,
    stages.map(stageText).join(', '),
    <ConfirmedAction
      key="remove"
      label={releases.removePolicy}
      action="deleteReleasePolicy"
      resource={`proj/${project}:release-policy/${key}`}
      danger
      question={releases.removePolicyQuestion(name)}
      run={() => api.deleteReleasePolicy({ projectKey: project, policyKey: key })}
    />,
  ]
}

function CreateForm({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [method, setMethod] = useState<Method>('progressive-release')
  const [tags, setTags] = useState('')
  const [stageLines, setStageLines] = useState('10 24\n50 24')
  const [metrics, setMetrics] = useState('')
  const stages = readStages(stageLines)
  const create = async () => {
    const plan = { stages: stages ?? [] }
    const config = {
      'immediate-release': {},
      'progressive-release': { progressiveReleaseConfig: plan },
      'guarded-release': { guardedReleaseConfig: { ...plan, metricKeys: readLines(metrics) } },
    }[method]
    const flagTagKeys = readTags(tags)
    const scope = flagTagKeys.length > 0 ? { scope: { flagTagKeys } } : {}
    const body = { key: key ?? keyFor(name), name, releaseMethod: method, ...scope, ...config }
    await api.createReleasePolicy({ projectKey: project, body })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose} disabled={!stages}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={key ?? keyFor(name)} onValue={setKey} required />
      <SelectField
        label={releases.method}
        value={method}
        onValue={setMethod}
        options={methods.map((each) => [each, releases.methods[each] ?? each] as const)}
      />
      <TextField label={releases.scopeTags} help={texts.tagsHelp} value={tags} onValue={setTags} />
      {method !== 'immediate-release' && (
        <TextArea
          label={texts.automated.stages}
          help={texts.automated.stagesHelp}
          error={stages ? undefined : texts.automated.invalidStages}
          value={stageLines}
          onValue={setStageLines}
        />
      )}
      {method === 'guarded-release' && (
        <TextArea label={releases.metricsOfPolicy} help={texts.linesHelp} value={metrics} onValue={setMetrics} />
      )}
    </ActionForm>
  )
}
