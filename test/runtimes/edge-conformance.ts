import { conformanceHandler } from './conformance-report.ts'
import { edgeSuites } from './edge-suites.ts'

export default { fetch: conformanceHandler(edgeSuites) }
