// Maps in order, of which copies share what none of them has changed: a copy costs nothing, and a change the way to it.

/** What is kept under a key. */
export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

/** A node of a treap: a search tree by the keys, and a heap by weights that are drawn, which keep it flat. */
interface Node<K, V> extends Entry<K, V> {
  readonly left: Tree<K, V>;
  readonly right: Tree<K, V>;
  readonly weight: number;
}

type Tree<K, V> = Node<K, V> | undefined;

/** A map in the order of its keys. */
export class SharedMap<K extends string | number, V> {
  #root: Tree<K, V>;

  copy(): SharedMap<K, V> {
    const copy = new SharedMap<K, V>();
    copy.#root = this.#root;
    return copy;
  }

  get(key: K): V | undefined {
    const found = this.from(key);
    return found?.key === key ? found.value : undefined;
  }

  /** The first entry whose key is not less. */
  from(key: K): Entry<K, V> | undefined {
    let first: Tree<K, V>;
    for (let node = this.#root; node !== undefined; ) {
      if (node.key < key) {
        node = node.right;
      } else {
        first = node;
        node = node.key === key ? undefined : node.left;
      }
    }
    return first;
  }

  set(key: K, value: V): void {
    this.#root = added(this.#root, key, value);
  }

  delete(key: K): void {
    this.#root = removed(this.#root, key);
  }

  /** The entries from a key on, in order. */
  *entries(key: K): Generator<Entry<K, V>, undefined> {
    const above: Node<K, V>[] = [];
    for (let node = this.#root; node !== undefined || above.length > 0; ) {
      if (node === undefined) {
        const next = above.pop() as Node<K, V>;
        yield next;
        node = next.right;
      } else if (node.key < key) {
        node = node.right;
      } else {
        above.push(node);
        node = node.left;
      }
    }
  }
}

function added<K, V>(node: Tree<K, V>, key: K, value: V): Node<K, V> {
  if (node === undefined) return { key, value, left: undefined, right: undefined, weight: Math.random() };
  if (key === node.key) return { ...node, value };
  if (key < node.key) {
    const left = added(node.left, key, value);
    if (left.weight <= node.weight) return { ...node, left };
    return { ...left, right: { ...node, left: left.right } };
  }
  const right = added(node.right, key, value);
  if (right.weight <= node.weight) return { ...node, right };
  return { ...right, left: { ...node, right: right.left } };
}

function removed<K, V>(node: Tree<K, V>, key: K): Tree<K, V> {
  if (node === undefined) return undefined;
  if (key === node.key) return joined(node.left, node.right);
  return key < node.key ? { ...node, left: removed(node.left, key) } : { ...node, right: removed(node.right, key) };
}

/** Two trees as one, of which one ends before the other begins. */
function joined<K, V>(first: Tree<K, V>, second: Tree<K, V>): Tree<K, V> {
  if (first === undefined || second === undefined) return first ?? second;
  if (first.weight > second.weight) return { ...first, right: joined(first.right, second) };
  return { ...second, left: joined(first, second.left) };
}
