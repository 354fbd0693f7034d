// The few functions of Node.js that the store of files calls, so that building the package needs no types of others.

declare module "node:fs/promises" {
  interface FileHandle {
    truncate(length: number): Promise<void>;
    appendFile(text: string): Promise<void>;
    sync(): Promise<void>;
    close(): Promise<void>;
  }
  export function mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  export function open(path: string, flags: "a"): Promise<FileHandle>;
  export function readdir(path: string): Promise<string[]>;
  export function readFile(path: string): Promise<Uint8Array>;
  export function rename(from: string, to: string): Promise<void>;
  export function writeFile(path: string, text: string): Promise<void>;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}
