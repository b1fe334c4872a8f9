import { useState } from 'preact/hooks'
import { consolePaths } from '../../../console-paths.ts'
import { api, hasStatus, type ResponseOf } from '../../api.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ConfirmedAction, DialogAction } from '../../components/dialog-action.tsx'
import { TextField } from '../../components/fields.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { callConsole } from '../../session.ts'
import { texts } from '../../texts.ts'
import { useQuery } from '../../use-query.ts'

type Allowlist = ResponseOf<'getIpAllowlist'>
type Entry = Allowlist['entries'][number]

/** The origin of the page's requests, as the server sees it. */
interface Origin {
  readonly credential: 'session' | 'apiToken'
  /** Absent when the server does not know the address. */
  readonly address?: string
}

const { ipAllowlist } = texts

/** Address of the allowlist in policies. */
const resource = 'ip-allowlist'

/** The IP allowlist of the account: the callers that it limits, and the addresses from which it accepts them. */
export function IpAllowlistPage() {
  const list = useQuery('IP allowlist', () => api.getIpAllowlist({}))
  const { data: origin } = useQuery('origin', () => callConsole<Origin>(consolePaths.origin))
  return (
    <>
      <PageTitle title={ipAllowlist.title}>
        <DialogAction label={ipAllowlist.add} action="createIpAllowlistEntry" resource={resource} kind="primary">
          {(close) => <AddForm origin={origin} onClose={close} />}
        </DialogAction>
      </PageTitle>
      <section class="panel">
        <h2>{ipAllowlist.limits}</h2>
        <p class="quiet">{ipAllowlist.help}</p>
        {origin && <p>{addressText(origin)}</p>}
        <QueryView query={list}>{(allowlist) => <Limits allowlist={allowlist} origin={origin} />}</QueryView>
      </section>
      {list.data && (
        <section class="panel">
          <h2>{ipAllowlist.entries}</h2>
          <DataTable
            label={ipAllowlist.entries}
            columns={ipAllowlist.columns}
            empty={ipAllowlist.empty}
            rows={list.data.entries.map((entry) => ({ key: entry._id, cells: cellsOf(entry, origin) }))}
          />
        </section>
      )}
    </>
  )
}

const addressText = ({ address }: Origin) =>
  address === undefined ? ipAllowlist.noAddress : ipAllowlist.ownAddress(address)

function Limits({ allowlist, origin }: { allowlist: Allowlist; origin: Origin | undefined }) {
  return (
    <DataTable
      label={ipAllowlist.limits}
      columns={ipAllowlist.limitColumns}
      empty=""
      rows={(['session', 'apiToken'] as const).map((credential) => {
        const property = `${credential}AllowlistEnabled` as const
        const on = allowlist[property]
        return {
          key: credential,
          cells: [
            <>
              {ipAllowlist.credentials[credential]}{' '}
              {origin?.credential === credential && <span class="tag">{ipAllowlist.own}</span>}
            </>,
            ipAllowlist.state(on),
            <ConfirmedAction
              key="turn"
              label={on ? ipAllowlist.turnOff : ipAllowlist.turnOn}
              action="updateIpAllowlistEnabled"
              resource={resource}
              question={ipAllowlist.turnQuestions[credential](!on)}
              run={() => explained(origin, () => api.patchIpAllowlistConfig({ body: { [property]: !on } }))}
            />,
          ],
        }
      })}
    />
  )
}

function cellsOf({ _id: id, ipAddress, description = '' }: Entry, origin: Origin | undefined) {
  return [
    <code key="address">{ipAddress}</code>,
    description,
    <div key="actions" class="row">
      <DialogAction label={ipAllowlist.describe} action="updateIpAllowlistEntry" resource={resource}>
        {(close) => <DescriptionForm id={id} stored={description} onClose={close} />}
      </DialogAction>
      <ConfirmedAction
        label={ipAllowlist.remove}
        action="deleteIpAllowlistEntry"
        resource={resource}
        danger
        question={ipAllowlist.removeQuestion(ipAddress)}
        run={() => explained(origin, () => api.deleteIpAllowlistEntry({ id }))}
      />
    </div>,
  ]
}

/**
 * Makes a change. The API refuses it with 400 only if it would also refuse the caller's next request; the page explains
 * this in its own words.
 */
async function explained(origin: Origin | undefined, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!hasStatus(error, 400) || origin?.address === undefined) throw error
    throw new Error(ipAllowlist.lockOut(origin.address))
  }
}

function AddForm({ origin, onClose }: { origin: Origin | undefined; onClose: () => void }) {
  const [ipAddress, setAddress] = useState('')
  const [description, setDescription] = useState('')
  const add = async () => {
    await api.createIpAllowlistEntry({ body: { ipAddress: ipAddress.trim(), description } })
    onClose()
  }
  return (
    <ActionForm submit={texts.add} onSubmit={add} onCancel={onClose}>
      {origin && <p class="quiet">{addressText(origin)}</p>}
      <TextField
        label={ipAllowlist.address}
        help={ipAllowlist.addressHelp}
        value={ipAddress}
        onValue={setAddress}
        required
      />
      <TextField label={texts.description} value={description} onValue={setDescription} />
    </ActionForm>
  )
}

function DescriptionForm({ id, stored, onClose }: { id: string; stored: string; onClose: () => void }) {
  const [description, setDescription] = useState(stored)
  const save = async () => {
    await api.patchIpAllowlistEntry({ id, body: { description } })
    onClose()
  }
  return (
    <ActionForm submit={texts.save} onSubmit={save} onCancel={onClose}>
      <TextField label={texts.description} value={description} onValue={setDescription} />
    </ActionForm>
  )
}
