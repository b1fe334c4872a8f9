import { createConsole } from '@halyard/console'
import { engine } from './halyard'

/** Trusts every visitor, as this application has no sessions. In your application, return the person of the request. */
const identify = () => ({ service: 'ann@example.com', role: 'admin' }) as const

export const flagConsole = createConsole(engine, { basePath: '/flags', identify })
