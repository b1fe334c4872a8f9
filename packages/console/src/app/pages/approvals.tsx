import { SelectField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { currentQuery, setQuery } from '../navigation.tsx'
import { texts } from '../texts.ts'
import { ApprovalList } from './approval-list.tsx'

/** All approval requests that the person may see, newest first. */
export function ApprovalsPage() {
  const status = currentQuery.value.get('status') ?? 'pending'
  return (
    <>
      <PageTitle title={texts.approvals.title} />
      <SelectField
        label={texts.approvals.status}
        value={status}
        onValue={(value) => setQuery({ status: value })}
        options={[['all', texts.approvals.all], ...Object.entries(texts.approvals.statuses)]}
      />
      <section class="panel">
        <ApprovalList filter={status === 'all' ? undefined : `status anyOf [${status}]`} />
      </section>
    </>
  )
}
