declare module './access.ts' { interface ActionsByKind { all: string } }
export {}
