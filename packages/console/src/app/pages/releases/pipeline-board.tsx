import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { TextArea, TextField } from '../../components/fields.tsx'
import { readLines } from '../../components/json-text.ts'
import { QueryView } from '../../components/query-view.tsx'
import { listAll } from '../../list-all.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { keyFor } from '../create-flag.tsx'
import { FlagRelease } from './flag-release.tsx'

type Pipeline = ResponseOf<'listReleasePipelines'>['items'][number]

const { releases } = texts

/** The release pipelines of a project, each with the releases that it runs, in columns of its phases. */
export function PipelineBoard({ project }: { project: string }) {
  const pipelines = useQuery(`pipelines ${project}`, () =>
    listAll((page) => api.listReleasePipelines({ projectKey: project, ...page })),
  )
  return (
    <>
      <div class="row middle">
        <h2>{releases.pipelines}</h2>
        <DialogAction
          label={releases.createPipeline}
          action="createReleasePipeline"
          resource={`proj/${project}:release-pipeline/*`}
        >
          {(close) => <CreateForm project={project} onClose={close} />}
        </DialogAction>
      </div>
      <QueryView query={pipelines}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">{releases.noPipelines}</p>
          ) : (
            items.map((pipeline) => <PipelineView key={pipeline.key} project={project} pipeline={pipeline} />)
          )
        }
      </QueryView>
    </>
  )
}

function PipelineView({ project, pipeline: { key, name } }: { project: string; pipeline: Pipeline }) {
  const board = useQuery(`releases of ${project} ${key}`, () =>
    api.listReleases({ projectKey: project, pipelineKey: key, limit: 100 }),
  )
  return (
    <section class="panel" aria-label={name}>
      <div class="row middle">
        <h3>{name}</h3>
        {board.data && <span class="quiet">{releases.counts(board.data.activeCount, board.data.completedCount)}</span>}
        <DialogAction label={releases.add} action="addReleasePipeline" resource={`proj/${project}:env/*:flag/*`}>
          {(close) => <AddForm project={project} pipeline={key} onClose={close} />}
        </DialogAction>
        <ConfirmedAction
          label={releases.removePipeline}
          action="deleteReleasePipeline"
          resource={`proj/${project}:release-pipeline/${key}`}
          danger
          question={releases.removePipelineQuestion(name)}
          run={() => api.deleteReleasePipeline({ projectKey: project, pipelineKey: key })}
        />
      </div>
      <QueryView query={board}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{releases.noReleases}</p>
          ) : (
            items.map(({ flagKey }) => <FlagRelease key={flagKey} project={project} flag={flagKey} />)
          )
        }
      </QueryView>
    </section>
  )
}

function AddForm({ project, pipeline, onClose }: { project: string; pipeline: string; onClose: () => void }) {
  const [flag, setFlag] = useState('')
  const add = async () => {
    await api.putRelease({ projectKey: project, flagKey: flag, body: { releasePipelineKey: pipeline } })
    onClose()
  }
  return (
    <ActionForm submit={releases.add} onSubmit={add} onCancel={onClose}>
      <TextField label={releases.addFlag} value={flag} onValue={setFlag} required />
    </ActionForm>
  )
}

function CreateForm({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string | undefined>(undefined)
  const [phases, setPhases] = useState('test Testing\nproduction Production')
  const create = async () => {
    const lines = readLines(phases).map((line) => line.split(/\s+/))
    await api.createReleasePipeline({
      projectKey: project,
      body: {
        key: key ?? keyFor(name),
        name,
        phases: lines.map(([environmentKey = '', ...words]) => {
          const phase = words.join(' ') || environmentKey
          return { name: phase, audiences: [{ environmentKey, name: phase }] }
        }),
      },
    })
    onClose()
  }
  return (
    <ActionForm submit={texts.create} onSubmit={create} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
      <TextField label={texts.key} help={texts.keyHelp} value={key ?? keyFor(name)} onValue={setKey} required />
      <TextArea label={releases.phases} help={releases.phasesHelp} value={phases} onValue={setPhases} />
    </ActionForm>
  )
}
