import { handler } from './halyard.server'

const handle = ({ request }: { readonly request: Request }) => handler(request)

// Requests with GET, and all others.
export { handle as action, handle as loader }
