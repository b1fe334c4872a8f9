// The part of the module of workerd that tests and examples use.
declare module 'cloudflare:workers' {
  export class DurableObject<Env = unknown> {
    constructor(ctx: unknown, env: Env)
    protected readonly ctx: unknown
    protected readonly env: Env
    fetch(request: Request): Response | Promise<Response>
    alarm(): void | Promise<void>
  }
}
