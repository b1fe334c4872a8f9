import { useEffect, useState } from 'preact/hooks'
import { api, type ChangeLogEntry, messageOf, revision } from '../api.ts'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Time } from '../components/time.tsx'
import { announce } from '../notices.ts'
import { texts } from '../texts.ts'
import { changedValues } from './changed-values.ts'

/** Conditions that entries must meet, as the API accepts them. */
export interface ChangeLogFilter {
  readonly spec?: string
  readonly kind?: string
  readonly q?: string
}

const pageSize = 20

/** Entries of the change log, newest first, with their differences and the possibility to revert each. */
export function EntryList({ filter }: { filter: ChangeLogFilter }) {
  const [entries, setEntries] = useState<readonly ChangeLogEntry[] | undefined>(undefined)
  const [hasMore, setHasMore] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const [reverting, setReverting] = useState<ChangeLogEntry | undefined>(undefined)
  const key = JSON.stringify(filter)
  const read = async (cursor?: string) => {
    const page = await api.listChangeLog({ limit: pageSize, ...filter, ...(cursor ? { cursor } : {}) })
    setHasMore('next' in page._links)
    setError(undefined)
    return page.items
  }
  const { value: currentRevision } = revision
  useEffect(() => {
    let current = true
    read().then(
      (items) => current && setEntries(items),
      (reason) => current && setError(reason),
    )
    return () => {
      current = false
    }
  }, [key, currentRevision])
  const last = entries?.at(-1)
  return (
    <section class="panel">
      {error !== undefined && (
        <p class="error" role="alert">
          {messageOf(error)}
        </p>
      )}
      {entries?.length === 0 && <p class="quiet">{texts.changeLog.empty}</p>}
      <ul class="plain-list">
        {entries?.map((entry) => (
          <Entry key={entry._id} entry={entry} onRevert={() => setReverting(entry)} />
        ))}
      </ul>
      {hasMore && last && (
        <button
          type="button"
          onClick={() => void read(last._id).then((items) => setEntries([...(entries ?? []), ...items]), setError)}
        >
          {texts.more}
        </button>
      )}
      {reverting && <RevertDialog entry={reverting} onClose={() => setReverting(undefined)} />}
    </section>
  )
}

function Entry({ entry, onRevert }: { entry: ChangeLogEntry; onRevert: () => void }) {
  const { title, date, comment, description } = entry
  const lines = description.split('\n')
  return (
    <li class="entry">
      <p>
        <strong>{title}</strong>
        <br />
        <span class="quiet">
          <Time value={date} />
        </span>
      </p>
      {lines.length > 1 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {comment && <p>{comment}</p>}
      <details>
        <summary>{texts.changeLog.details}</summary>
        <Differences entry={entry} />
      </details>
      <button type="button" aria-label={`${texts.changeLog.revert}: ${title}`} onClick={onRevert}>
        {texts.changeLog.revert}
      </button>
    </li>
  )
}

/** Each changed part with its value before and after. */
function Differences({ entry }: { entry: ChangeLogEntry }) {
  const show = (value: unknown) => (value === undefined ? texts.changeLog.absent : JSON.stringify(value, null, 1))
  return (
    <>
      {entry.delta.map((delta) => (
        <section key={`${delta.resource} ${delta.kind}`}>
          <h3>
            <code>{delta.resource}</code>
          </h3>
          {changedValues(delta).map(({ path, before, after }) => (
            <dl key={path}>
              <dt>
                <code>{path}</code>
              </dt>
              <dd>
                {texts.changeLog.before}: <code>{show(before)}</code>
              </dd>
              <dd>
                {texts.changeLog.after}: <code>{show(after)}</code>
              </dd>
            </dl>
          ))}
        </section>
      ))}
    </>
  )
}

function RevertDialog({ entry, onClose }: { entry: ChangeLogEntry; onClose: () => void }) {
  const [comment, setComment] = useState('')
  const revert = async () => {
    await api.revertChangeLogEntry({ id: entry._id, body: comment === '' ? {} : { comment } })
    onClose()
    announce(texts.changeLog.reverted)
  }
  return (
    <Dialog title={texts.changeLog.revertTitle} onClose={onClose}>
      <p>{texts.changeLog.from(entry.title)}</p>
      <ActionForm submit={texts.changeLog.revert} onSubmit={revert} onCancel={onClose}>
        <TextField label={texts.comment} value={comment} onValue={setComment} />
      </ActionForm>
    </Dialog>
  )
}
