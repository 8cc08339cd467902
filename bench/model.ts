export async function modelBench(_args: string[]): Promise<void> {}
