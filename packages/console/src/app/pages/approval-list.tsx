import { useState } from 'preact/hooks'
import { type ApprovalRequest, api, messageOf, refresh } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { memberName, useMembers } from '../components/member-choice.tsx'
import { QueryView } from '../components/query-view.tsx'
import { Time } from '../components/time.tsx'
import { hrefOf, Link } from '../navigation.tsx'
import { flagOf } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { ChangeEffect } from './change-effect.tsx'
import { ChangeListEffect } from './change-list-effect.tsx'
import { InstructionList } from './instruction-list.tsx'

type ReviewKind = 'approve' | 'decline' | 'comment'

/** Approval requests with what they change, and the actions that the person may do. */
export function ApprovalList({ filter }: { filter: string | undefined }) {
  const requests = useQuery(`approvals ${filter}`, () =>
    api.listApprovalRequests({ limit: 50, ...(filter === undefined ? {} : { filter }) }),
  )
  const members = useMembers((requests.data?.items ?? []).flatMap(involvedMembers))
  const nameOf = (id: string | undefined) => {
    const member = members.find(({ _id }) => _id === id)
    return member ? memberName(member) : (id ?? '')
  }
  return (
    <QueryView query={requests}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="quiet">{texts.approvals.empty}</p>
        ) : (
          <ul class="plain-list">
            {items.map((request) => (
              <OneRequest key={request._id} request={request} nameOf={nameOf} />
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

/** Returns the ids of the members who made or reviewed a request. */
function involvedMembers({ requestorId, allReviews }: ApprovalRequest): readonly string[] {
  return [requestorId, ...allReviews.map(({ memberId }) => memberId)].filter((id) => id !== undefined)
}

type NameOf = (id: string | undefined) => string

function OneRequest({ request, nameOf }: { request: ApprovalRequest; nameOf: NameOf }) {
  const [open, setOpen] = useState(false)
  const { statuses, reviewStatuses } = texts.approvals
  const place = flagOf(request.resourceId)
  const requestor = nameOf(request.requestorId)
  return (
    <li class="entry">
      <p>
        <strong>{request.description}</strong>
      </p>
      <p>
        <span class="status">
          {statuses[request.status] ?? request.status} · {reviewStatuses[request.reviewStatus]}
        </span>{' '}
        <span class="quiet">
          <code>{request.resourceId}</code> · {requestor && `${texts.approvals.requestedBy(requestor)} · `}
          <Time value={request.creationDate} />
          {request.executionDate !== undefined && (
            <>
              {' · '}
              {texts.approvals.executedAt} <Time value={request.executionDate} />
            </>
          )}
        </span>
      </p>
      {request.failure && <p class="error">{texts.pending.failed(request.failure.reason)}</p>}
      {place && <Link href={hrefOf('flag', { ...place })}>{texts.approvals.openFlag}</Link>}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{texts.approvals.what}</summary>
        {open && isOpen(request) && <RequestEffect request={request} />}
        {open && <InstructionList instructions={request.instructions} />}
      </details>
      <Reviews request={request} nameOf={nameOf} />
      {isOpen(request) && <RequestActions request={request} />}
    </li>
  )
}

function RequestEffect({ request }: { request: ApprovalRequest }) {
  // The resource of a list of changes is a project.
  const isList = !(request.resourceId ?? '').includes(':')
  return isList ? <ChangeListEffect request={request} /> : <ChangeEffect planned={{ approvalRequestId: request._id }} />
}

function isOpen({ status }: ApprovalRequest): boolean {
  return status === 'pending' || status === 'scheduled'
}

function Reviews({ request: { allReviews }, nameOf }: { request: ApprovalRequest; nameOf: NameOf }) {
  if (allReviews.length === 0) return <p class="quiet">{texts.approvals.noReviews}</p>
  return (
    <ul>
      {allReviews.map(({ _id, kind, comment, memberId, serviceTokenId }) => (
        <li key={_id}>
          {texts.approvals.review(nameOf(memberId ?? serviceTokenId), kind)}
          {comment && ` – ${comment}`}
        </li>
      ))}
    </ul>
  )
}

function RequestActions({ request }: { request: ApprovalRequest }) {
  const [review, setReview] = useState<ReviewKind | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const { _id: id, resourceId = '' } = request
  const run = async (call: () => Promise<unknown>) => {
    setError(undefined)
    await call().then(refresh, setError)
  }
  const button = { resource: resourceId }
  const { approve, decline, commentOnly, apply, remove } = texts.approvals
  return (
    <>
      <div class="row">
        <ActionButton {...button} label={approve} action="reviewApprovalRequest" onClick={() => setReview('approve')} />
        <ActionButton {...button} label={decline} action="reviewApprovalRequest" onClick={() => setReview('decline')} />
        <ActionButton
          {...button}
          label={commentOnly}
          action="reviewApprovalRequest"
          onClick={() => setReview('comment')}
        />
        {request.reviewStatus === 'approved' && (
          <ActionButton
            {...button}
            label={apply}
            action="applyApprovalRequest"
            kind="primary"
            onClick={() => void run(() => api.applyApprovalRequest({ id }))}
          />
        )}
        <ActionButton
          {...button}
          label={remove}
          action="deleteApprovalRequest"
          kind="danger"
          onClick={() => void run(() => api.deleteApprovalRequest({ id }))}
        />
      </div>
      {error !== undefined && (
        <p class="error" role="alert">
          {messageOf(error)}
        </p>
      )}
      {review && <ReviewForm id={id} kind={review} onClose={() => setReview(undefined)} />}
    </>
  )
}

function ReviewForm({ id, kind, onClose }: { id: string; kind: ReviewKind; onClose: () => void }) {
  const [comment, setComment] = useState('')
  const title = {
    approve: texts.approvals.approve,
    decline: texts.approvals.decline,
    comment: texts.approvals.commentOnly,
  }[kind]
  const submit = async () => {
    await api.reviewApprovalRequest({ id, body: { kind, ...(comment === '' ? {} : { comment }) } })
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm submit={title} onSubmit={submit} onCancel={onClose}>
        <TextField label={texts.comment} value={comment} onValue={setComment} required={kind === 'comment'} />
      </ActionForm>
    </Dialog>
  )
}
