import { conformanceHandler } from './conformance-report.ts'
import { serverSuites } from './server-suites.ts'

export default { fetch: conformanceHandler(serverSuites) }
