// The few functions of Node.js that the store of files calls, so that building the package needs no types of others.

declare module "node:fs/promises" {
  interface FileHandle {
    appendFile(text: string): Promise<void>;
    close(): Promise<void>;
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    sync(): Promise<void>;
    writeFile(text: string): Promise<void>;
  }
  export function appendFile(path: string, text: string): Promise<void>;
  export function mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  export function open(path: string, flags: "a" | "r" | "w" | "wx"): Promise<FileHandle>;
  export function readdir(path: string): Promise<string[]>;
  export function readFile(path: string): Promise<Uint8Array>;
  export function readlink(path: string): Promise<string>;
  export function rename(from: string, to: string): Promise<void>;
  export function stat(path: string): Promise<{ size: number }>;
  export function truncate(path: string, length: number): Promise<void>;
  export function unlink(path: string): Promise<void>;
}

declare module "node:os" {
  export function hostname(): string;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}

declare module "node:process" {
  export const pid: number;
  export function kill(process: number, signal: 0): void;
}

declare module "node:timers/promises" {
  export function setTimeout(milliseconds: number): Promise<void>;
}
