import { SelectField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { currentQuery, setQuery } from '../navigation.tsx'
import { texts } from '../texts.ts'
import { ApprovalList } from './approval-list.tsx'

/**
 * Returns the filter for a chosen status, in the syntax of the API. Open requests wait for a review, or for their time.
 */
function filterOf(status: string): string | undefined {
  if (status === 'all') return undefined
  return `status anyOf [${status === 'open' ? 'pending, scheduled' : status}]`
}

/** All approval requests that the person may see, newest first. */
export function ApprovalsPage() {
  const status = currentQuery.value.get('status') ?? 'open'
  return (
    <>
      <PageTitle title={texts.approvals.title} />
      <SelectField
        label={texts.approvals.status}
        value={status}
        onValue={(value) => setQuery({ status: value })}
        options={[
          ['open', texts.approvals.open],
          ['all', texts.approvals.all],
          ...Object.entries(texts.approvals.statuses),
        ]}
      />
      <section class="panel">
        <ApprovalList filter={filterOf(status)} />
      </section>
    </>
  )
}
