import { useEffect, useState } from 'preact/hooks'
import { SelectField, TextField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { currentQuery, setQuery } from '../navigation.tsx'
import { texts } from '../texts.ts'
import { EntryList } from './entry-list.tsx'

/** Delay between the last key and the search, ms. */
const searchDelayMs = 300

/** The change log of the account. */
export function ChangeLogPage() {
  const query = currentQuery.value
  const [q, kind] = [query.get('q') ?? '', query.get('kind') ?? '']
  const [search, setSearch] = useState(q)
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ q: search.trim() }), searchDelayMs)
    return () => clearTimeout(timer)
  }, [search])
  return (
    <>
      <PageTitle title={texts.changeLog.title} />
      <search class="row">
        <TextField label={texts.changeLog.search} type="search" value={search} onValue={setSearch} />
        <SelectField
          label={texts.changeLog.kind}
          value={kind}
          onValue={(value) => setQuery({ kind: value })}
          options={[['', texts.changeLog.all], ...texts.changeLog.kinds.map((each) => [each, each] as const)]}
        />
      </search>
      <EntryList filter={{ ...(q === '' ? {} : { q }), ...(kind === '' ? {} : { kind }) }} />
    </>
  )
}
