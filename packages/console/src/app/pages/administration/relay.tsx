import type { Statement } from '@halyard/core/policy'
import { useState } from 'preact/hooks'
import { api, type ResponseOf } from '../../api.ts'
import { WhyNot } from '../../components/action-button.tsx'
import { ActionForm } from '../../components/action-form.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { Time } from '../../components/time.tsx'
import { hrefOf, Link, navigate } from '../../navigation.tsx'
import { announce } from '../../notices.ts'
import { rightTo } from '../../rights.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'
import { RelayPolicyField, useReadPolicy } from './relay-policy.tsx'
import { ResetKeyForm } from './reset-key-form.tsx'

type Relay = ResponseOf<'getRelayProxyConfig'>

const { relays } = texts

/** A Relay Proxy configuration with the editor of its policy. A reset shows the new key once. */
export function RelayPage({ params: { relay: id = '' } }: { params: Readonly<Record<string, string>> }) {
  const [reset, setReset] = useState<Relay | undefined>(undefined)
  const query = useQuery(`relay ${id}`, () => api.getRelayProxyConfig({ id }))
  const name = query.data?.name ?? id
  const resource = `relay-proxy-config/${id}`
  return (
    <>
      <PageTitle title={name}>
        <DialogAction label={relays.rename} action="updateRelayAutoConfigurationName" resource={resource}>
          {(close) => <NameForm id={id} stored={name} onClose={close} />}
        </DialogAction>
        <DialogAction label={relays.reset} action="resetRelayAutoConfiguration" resource={resource}>
          {(close) => (
            <ResetKeyForm
              texts={relays}
              question={relays.resetHelp(name)}
              onReset={async (input) => setReset(await api.resetRelayAutoConfig({ id, ...input }))}
              onClose={close}
            />
          )}
        </DialogAction>
        <ConfirmedAction
          label={relays.remove}
          action="deleteRelayAutoConfiguration"
          resource={resource}
          danger
          question={relays.removeQuestion(name)}
          run={async () => {
            await api.deleteRelayAutoConfig({ id })
            navigate(hrefOf('relays'))
          }}
        />
      </PageTitle>
      <p>
        <Link href={hrefOf('relays')}>{relays.back}</Link>
      </p>
      {reset?.fullKey && (
        <ShownOnce label={relays.keyValue(name)} value={reset.fullKey} onDone={() => setReset(undefined)} />
      )}
      <QueryView query={query}>{(relay) => <RelayView relay={relay} resource={resource} />}</QueryView>
    </>
  )
}

function RelayView({ relay, resource }: { relay: Relay; resource: string }) {
  const [, , keyEnd, changed] = relays.columns
  const { displayKey, lastModified } = relay
  return (
    <section class="panel">
      <p>
        {`${keyEnd}: `}
        {displayKey === '' ? relays.noKey : <code>…{displayKey}</code>}
        {` · ${changed}: `}
        <Time value={lastModified} />
      </p>
      <PolicyEditor relay={relay} resource={resource} />
    </section>
  )
}

function PolicyEditor({ relay: { _id: id, policy }, resource }: { relay: Relay; resource: string }) {
  const [text, setText] = useState(() => JSON.stringify(policy, null, 2))
  const read = useReadPolicy(text)
  const action = 'updateRelayAutoConfigurationPolicy'
  const right = rightTo(action, resource).value
  // The policy that was stored when the person began. With the `test` operation, the API refuses the patch if another
  // person has changed the policy since. Changes of names and keys do not matter.
  const [before, setBefore] = useState<readonly Statement[]>(policy)
  const save = async () => {
    if ('errors' in read) return
    const { statements } = read
    const body = [
      { op: 'test' as const, path: '/policy', value: before },
      { op: 'replace' as const, path: '/policy', value: statements },
    ]
    await api.patchRelayAutoConfig({ id, body })
    setBefore(statements)
    announce(relays.saved)
  }
  const field = <RelayPolicyField text={text} read={read} onText={setText} />
  if (!right?.allowed) {
    return (
      <>
        {field}
        {right && <WhyNot label={relays.savePolicy} action={action} resource={resource} right={right} />}
      </>
    )
  }
  return (
    <div data-action={action} data-resource={resource}>
      <ActionForm submit={relays.savePolicy} onSubmit={save} disabled={'errors' in read}>
        {field}
      </ActionForm>
    </div>
  )
}

function NameForm({ id, stored, onClose }: { id: string; stored: string; onClose: () => void }) {
  const [name, setName] = useState(stored)
  const save = async () => {
    await api.patchRelayAutoConfig({ id, body: [{ op: 'replace', path: '/name', value: name }] })
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <TextField label={texts.name} value={name} onValue={setName} required />
    </ActionForm>
  )
}
