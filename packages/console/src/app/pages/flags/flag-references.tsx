import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { QueryView } from '../../components/query-view.tsx'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

type FlagLink = ResponseOf<'listFlagLinks'>['items'][number]

/** Only addresses that match become links. Other addresses could run scripts. */
const webAddress = /^https?:\/\//i

/** The links of a flag, and the repositories whose code refers to it. */
export function FlagReferences({ place }: { place: FlagPlace }) {
  return (
    <>
      <FlagLinks place={place} />
      <CodeReferences place={place} />
    </>
  )
}

function FlagLinks({ place }: { place: FlagPlace }) {
  const keys = { projectKey: place.project, flagKey: place.flag }
  const links = useQuery(`links ${place.project} ${place.flag}`, () => api.listFlagLinks(keys))
  const resource = `proj/${place.project}:env/*:flag/${place.flag}`
  return (
    <section class="panel">
      <div class="row middle">
        <h2>{texts.flag.links}</h2>
        <DialogAction label={texts.flag.addLink} action="createFlagLink" resource={resource}>
          {(close) => <LinkForm place={place} onClose={close} />}
        </DialogAction>
      </div>
      <QueryView query={links}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{texts.flag.noLinks}</p>
          ) : (
            <ul class="plain-list">
              {items.map((link) => (
                <li key={link._id} class="entry row middle">
                  <LinkAddress link={link} />
                  <ConfirmedAction
                    label={texts.flag.removeLink(titleOf(link))}
                    action="deleteFlagLink"
                    resource={resource}
                    danger
                    question={texts.flag.removeLinkQuestion(titleOf(link))}
                    run={() => api.deleteFlagLink({ ...keys, id: link._id })}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

function titleOf({ title, _deepLink }: FlagLink): string {
  return title || _deepLink
}

function LinkAddress({ link }: { link: FlagLink }) {
  if (!webAddress.test(link._deepLink)) return <span>{titleOf(link)}</span>
  return (
    <a href={link._deepLink} rel="noreferrer noopener" target="_blank">
      {titleOf(link)}
    </a>
  )
}

function LinkForm({ place, onClose }: { place: FlagPlace; onClose: () => void }) {
  const [deepLink, setDeepLink] = useState('')
  const [title, setTitle] = useState('')
  const add = async () => {
    await api.createFlagLink({ projectKey: place.project, flagKey: place.flag, body: { deepLink, title } })
    onClose()
  }
  return (
    <ActionForm submit={texts.add} onSubmit={add} onCancel={onClose}>
      <TextField
        label={texts.flag.linkAddress}
        value={deepLink}
        onValue={setDeepLink}
        placeholder="https://"
        pattern="[hH][tT][tT][pP][sS]?://.+"
        required
      />
      <TextField label={texts.flag.linkTitle} value={title} onValue={setTitle} />
    </ActionForm>
  )
}

function CodeReferences({ place }: { place: FlagPlace }) {
  const code = useQuery(`code ${place.project} ${place.flag}`, () =>
    api.getStatistics({ projectKey: place.project, flagKey: place.flag }),
  )
  return (
    <section class="panel">
      <h2>{texts.flag.code}</h2>
      <QueryView query={code}>
        {({ flags }) => {
          const repositories = flags[place.flag] ?? []
          if (repositories.length === 0) return <p class="quiet">{texts.flag.noCode}</p>
          return (
            <ul>
              {repositories.map(({ name, hunkCount, fileCount }) => (
                <li key={name}>{texts.flag.repository(name, hunkCount, fileCount)}</li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </section>
  )
}
