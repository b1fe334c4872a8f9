import { flagConsole } from '../../../console'

export const dynamic = 'force-dynamic'

const handle = flagConsole.fetch
export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
