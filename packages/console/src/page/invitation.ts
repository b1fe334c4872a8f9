import { sendToApi } from './call-api.ts'
import { byId, createElement } from './dom.ts'

// The link is `/invitation#<id of the member>.<code>`. Browsers send no fragment to the server.
const [, memberId = '', code = ''] = /^#(.+)\.([^.]+)$/.exec(location.hash) ?? []

byId<HTMLFormElement>('invitation').addEventListener('submit', (event) => {
  event.preventDefault()
  void accept()
})

async function accept(): Promise<void> {
  const button = byId('invitation').querySelector('button') as HTMLButtonElement
  button.disabled = true
  byId('failure').hidden = true
  try {
    const { token } = await sendToApi<{ token: string }>(`members/${memberId}/invitation/accept`, { code })
    // The invitation is accepted, so the code in the address is removed.
    history.replaceState(null, '', location.pathname)
    byId('token').textContent = token
    byId('invitation').hidden = true
    byId('accepted').hidden = false
  } catch (error) {
    byId('failure').replaceChildren(createElement('p', {}, explanationOf(error as Error & { status: number })))
    byId('failure').hidden = false
    button.disabled = false
  }
}

function explanationOf({ status, message }: Error & { readonly status: number }): string {
  if (status !== 400 && status !== 404) return message
  return 'This link was used, was replaced by another one, or has expired. Ask for a new invitation.'
}
