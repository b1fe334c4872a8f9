import type { ComponentChildren } from 'preact'
import type { ResponseOf } from '../../api.ts'
import { memberName, useMembers } from '../../components/member-choice.tsx'
import { Time } from '../../components/time.tsx'
import { texts } from '../../texts.ts'
import { InstructionList, instructionNames } from '../instruction-list.tsx'

/** A stage of a workflow or of a template. */
export type Stage = ResponseOf<'getCustomWorkflow'>['stages'][number]

type Condition = Stage['conditions'][number]

const { workflows } = texts

/**
 * The stages of a workflow or of a template, with their conditions and actions.
 *
 * @param showsState true for stages with a state. The stages of a template have no state.
 */
export function StageList({
  stages,
  showsState,
  requestLink,
}: {
  stages: readonly Stage[]
  showsState: boolean
  /** Link to the approval requests of the flag. Default: no link. */
  requestLink?: ComponentChildren
}) {
  return (
    <ol class="phases">
      {stages.map((stage, index) => {
        const { status, stopDate } = stage._execution
        const isCurrent = showsState && (status === 'running' || status === 'scheduled')
        return (
          <li key={stage._id} class={isCurrent ? 'phase current' : 'phase'}>
            <p>
              <strong>{workflows.stage(index + 1, stage.name)}</strong>
              {showsState && (
                <>
                  {' · '}
                  <span class="status">{workflows.statuses[status]}</span>
                </>
              )}
              {stopDate !== undefined && (
                <>
                  {' · '}
                  <Time value={stopDate} />
                </>
              )}
            </p>
            <Conditions stage={stage} showsState={showsState && status !== 'pending'} requestLink={requestLink} />
            <details>
              <summary>{instructionNames(stage.action.instructions)}</summary>
              <InstructionList instructions={stage.action.instructions} />
            </details>
          </li>
        )
      })}
    </ol>
  )
}

function Conditions({
  stage: { conditions, executeConditionsInSequence },
  showsState,
  requestLink,
}: {
  stage: Stage
  showsState: boolean
  requestLink: ComponentChildren
}) {
  if (conditions.length === 0) return <p class="quiet">{workflows.noConditions}</p>
  return (
    <>
      {executeConditionsInSequence && <p class="quiet">{workflows.inSequence}</p>}
      <ul>
        {conditions.map((condition) => (
          <li key={condition._id}>
            <ConditionText condition={condition} />
            {showsState && ` · ${stateOf(condition)}`} {condition.approvalRequestId !== undefined && requestLink}
          </li>
        ))}
      </ul>
    </>
  )
}

function ConditionText({ condition }: { condition: Condition }) {
  const { kind, description, executionDate, waitDuration, waitDurationUnit } = condition
  if (kind === 'ld-approval') {
    return (
      <>
        {workflows.approval(description)}
        <Notified condition={condition} />
      </>
    )
  }
  if (waitDuration === undefined || waitDurationUnit === undefined) {
    if (executionDate === undefined) return <>{workflows.atOwnDate}</>
    return (
      <>
        {workflows.at} <Time value={executionDate} />
      </>
    )
  }
  return (
    <>
      {workflows.after(waitDuration, waitDurationUnit)}
      {executionDate !== undefined && (
        <>
          {', '}
          {workflows.at} <Time value={executionDate} />
        </>
      )}
    </>
  )
}

/** The people and teams that an approval request notifies. */
function Notified({ condition: { notifyMemberIds = [], notifyTeamKeys = [] } }: { condition: Condition }) {
  const names = useMembers(notifyMemberIds).map(memberName)
  const all = [...names, ...notifyTeamKeys.map(workflows.team)]
  return all.length === 0 ? null : <span> ({workflows.notifies(all)})</span>
}

/** A condition whose approval request is still open waits for the reviewers. */
function stateOf({ approvalRequestId, _execution: { status } }: Condition): string {
  return approvalRequestId !== undefined && status === 'pending' ? workflows.waitsForReview : workflows.statuses[status]
}
