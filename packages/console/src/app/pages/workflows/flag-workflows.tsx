import { api, type Flag, type ResponseOf } from '../../api.ts'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { ListView } from '../../components/list-view.tsx'
import { Time } from '../../components/time.tsx'
import { hrefOf, Link } from '../../navigation.tsx'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useList } from '../../use-list.ts'
import { CreateTemplate } from './create-template.tsx'
import { CreateWorkflow } from './create-workflow.tsx'
import { StageList } from './stage-list.tsx'
import { TemplateForm } from './template-form.tsx'

type Workflow = ResponseOf<'getWorkflows'>['items'][number]

const { workflows } = texts

const keysOf = ({ project, environment, flag }: FlagPlace) => ({
  projectKey: project,
  environmentKey: environment,
  flagKey: flag,
})

/** The workflows of a flag in an environment, newest first, with the state of each stage. */
export function FlagWorkflows({ place, flag }: { place: FlagPlace; flag: Flag }) {
  const resource = `proj/${place.project}:env/${place.environment}:flag/${place.flag}`
  const list = useList(`workflows ${resource}`, (page) => api.getWorkflows({ ...keysOf(place), ...page }))
  return (
    <>
      <div class="row middle">
        <h2>{workflows.title}</h2>
        <DialogAction label={workflows.create} action="updateFeatureWorkflows" resource={resource} kind="primary" wide>
          {(close) => <CreateWorkflow place={place} flag={flag} onClose={close} />}
        </DialogAction>
        <DialogAction label={workflows.createTemplate} action="createTemplate" resource="template/*" wide>
          {(close) => <CreateTemplate place={place} flag={flag} onClose={close} />}
        </DialogAction>
      </div>
      <p class="quiet">{workflows.help}</p>
      <ListView list={list}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet">{workflows.empty}</p>
          ) : (
            <ul class="plain-list">
              {items.map((workflow) => (
                <WorkflowEntry key={workflow._id} place={place} workflow={workflow} resource={resource} />
              ))}
            </ul>
          )
        }
      </ListView>
    </>
  )
}

function WorkflowEntry({ place, workflow, resource }: { place: FlagPlace; workflow: Workflow; resource: string }) {
  const { _id: id, name, description, templateKey, failure, stages, _conflicts, _creationDate, _execution } = workflow
  return (
    <li class="entry">
      <h3>{name}</h3>
      <p>
        <span class="status">{workflows.statuses[_execution.status]}</span> · {workflows.created}{' '}
        <Time value={_creationDate} />
        {templateKey !== undefined && ` · ${workflows.fromTemplate(templateKey)}`}
      </p>
      {description && <p>{description}</p>}
      {failure && <p class="error">{workflows.failure(failure.reason)}</p>}
      {_conflicts.map(({ stageId, message }) => (
        <p key={`${stageId} ${message}`} class="error">
          {workflows.conflict(stageName(stages, stageId), message)}
        </p>
      ))}
      <StageList
        stages={stages}
        showsState
        requestLink={<Link href={hrefOf('flag', { ...place }, { tab: 'pending' })}>{workflows.showRequest}</Link>}
      />
      <div class="row">
        <DialogAction label={workflows.saveTemplate} action="createTemplate" resource="template/*">
          {(close) => (
            <TemplateForm
              name={name}
              description={description ?? ''}
              source={() => ({ ...keysOf(place), workflowId: id })}
              onClose={close}
            />
          )}
        </DialogAction>
        <ConfirmedAction
          label={workflows.remove}
          action="updateFeatureWorkflows"
          resource={resource}
          danger
          question={workflows.removeQuestion(name)}
          run={() => api.deleteWorkflow({ ...keysOf(place), workflowId: id })}
        />
      </div>
    </li>
  )
}

function stageName(stages: Workflow['stages'], id: string): string {
  const index = stages.findIndex(({ _id }) => _id === id)
  return workflows.stage(index + 1, stages[index]?.name)
}
