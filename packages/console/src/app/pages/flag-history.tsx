import { useState } from 'preact/hooks'
import { api, apiAt, type ChangeLogEntry } from '../api.ts'
import { QueryView } from '../components/query-view.tsx'
import { dateOf, Time } from '../components/time.tsx'
import type { FlagPlace } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { EntryList } from './entry-list.tsx'
import { EnvironmentsTable } from './environments-table.tsx'

/** Number of entries that the slider reaches back. */
const slidable = 100

/** The entries of a flag, and the flag as it was after each of them. */
export function FlagHistory({ place }: { place: FlagPlace }) {
  const spec = `proj/${place.project}:env/*:flag/${place.flag}`
  const entries = useQuery(`slider ${spec}`, () => api.listChangeLog({ limit: slidable, spec }))
  return (
    <>
      <QueryView query={entries}>
        {({ items }) => items.length > 0 && <PastFlag place={place} oldestFirst={items.toReversed()} />}
      </QueryView>
      <EntryList filter={{ spec }} />
    </>
  )
}

function PastFlag({ place, oldestFirst }: { place: FlagPlace; oldestFirst: readonly ChangeLogEntry[] }) {
  const [age, setAge] = useState(0)
  const index = Math.max(0, oldestFirst.length - 1 - age)
  const { date, title } = oldestFirst[index] as ChangeLogEntry
  const time = dateOf(date).toISOString()
  const flag = useQuery(`flag ${place.project} ${place.flag} at ${time}`, () =>
    apiAt(time).getFlag({ projectKey: place.project, flagKey: place.flag }),
  )
  return (
    <section class="panel" aria-label={texts.flag.asOf}>
      <h2>{texts.flag.asOf}</h2>
      <label class="field">
        {texts.flag.moment}
        <input
          type="range"
          min={0}
          max={oldestFirst.length - 1}
          value={index}
          aria-valuetext={title}
          onInput={({ currentTarget }) => setAge(oldestFirst.length - 1 - Number(currentTarget.value))}
        />
      </label>
      <p>
        <Time value={date} /> <strong>{title}</strong>
      </p>
      <QueryView query={flag}>{(data) => <EnvironmentsTable place={place} flag={data} />}</QueryView>
    </section>
  )
}
