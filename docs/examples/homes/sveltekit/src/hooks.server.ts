import { handler, openEngine } from '$lib/server/halyard'
import type { Handle } from '@sveltejs/kit'

export const init = openEngine

export const handle: Handle = ({ event, resolve }) =>
  event.url.pathname.startsWith('/api/v2/') ? handler(event.request) : resolve(event)
