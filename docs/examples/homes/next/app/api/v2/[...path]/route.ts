import { handler } from '../../../../halyard.ts'

// Next would answer GETs while it builds.
export const dynamic = 'force-dynamic'

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT }
