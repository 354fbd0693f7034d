// Maps in order, of which copies share what none of them has changed since: a copy costs nothing, and a change the way to it.

/** What is kept under a key. */
export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

/** A node of a treap: a search tree by the keys, and a heap by weights that are drawn, which keep it flat. */
interface Node<K, V> extends Entry<K, V> {
  value: V;
  left: Node<K, V> | undefined;
  right: Node<K, V> | undefined;
  readonly weight: number;
  /** The map that made the node since it was copied last, and may change it. */
  readonly owner: object;
}

type Tree<K, V> = Node<K, V> | undefined;

export class SharedMap<K, V> {
  readonly #compare: (one: K, other: K) => number;
  #root: Tree<K, V>;
  #owner = {};
  #size = 0;

  constructor(compare: (one: K, other: K) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  copy(): SharedMap<K, V> {
    const copy = new SharedMap<K, V>(this.#compare);
    copy.#root = this.#root;
    copy.#size = this.#size;
    // From now on the nodes are everybody's, and nobody changes them.
    this.#owner = {};
    return copy;
  }

  get(key: K): V | undefined {
    for (let node = this.#root; node !== undefined; ) {
      const order = this.#compare(key, node.key);
      if (order === 0) return node.value;
      node = order < 0 ? node.left : node.right;
    }
    return undefined;
  }

  /** The first entry whose key is not less. */
  from(key: K): Entry<K, V> | undefined {
    let first: Tree<K, V>;
    for (let node = this.#root; node !== undefined; ) {
      const isLess = this.#compare(node.key, key) < 0;
      if (!isLess) first = node;
      node = isLess ? node.right : node.left;
    }
    return first;
  }

  set(key: K, value: V): void {
    this.#root = this.#with(this.#root, key, value);
  }

  delete(key: K): void {
    this.#root = this.#without(this.#root, key);
  }

  /** All entries in the order of keys. Nothing may be changed before the last one is taken. */
  *entries(): Generator<Entry<K, V>, undefined> {
    const above: Node<K, V>[] = [];
    for (let node = this.#root; node !== undefined || above.length > 0; ) {
      for (; node !== undefined; node = node.left) above.push(node);
      const next = above.pop() as Node<K, V>;
      yield next;
      node = next.right;
    }
  }

  #with(node: Tree<K, V>, key: K, value: V): Node<K, V> {
    if (node === undefined) {
      this.#size += 1;
      return { key, value, left: undefined, right: undefined, weight: Math.random(), owner: this.#owner };
    }
    const order = this.#compare(key, node.key);
    const own = this.#own(node);
    if (order === 0) {
      own.value = value;
      return own;
    }
    const below = this.#with(order < 0 ? own.left : own.right, key, value);
    const rises = below.weight > own.weight;
    if (order < 0) {
      own.left = rises ? below.right : below;
      if (rises) below.right = own;
    } else {
      own.right = rises ? below.left : below;
      if (rises) below.left = own;
    }
    return rises ? below : own;
  }

  #without(node: Tree<K, V>, key: K): Tree<K, V> {
    if (node === undefined) return undefined;
    const order = this.#compare(key, node.key);
    if (order === 0) {
      this.#size -= 1;
      return this.#joined(node.left, node.right);
    }
    const own = this.#own(node);
    if (order < 0) own.left = this.#without(own.left, key);
    else own.right = this.#without(own.right, key);
    return own;
  }

  /** Two trees as one, of which one ends before the other begins. */
  #joined(first: Tree<K, V>, second: Tree<K, V>): Tree<K, V> {
    if (first === undefined || second === undefined) return first ?? second;
    const own = this.#own(first.weight > second.weight ? first : second);
    if (first.weight > second.weight) own.right = this.#joined(own.right, second);
    else own.left = this.#joined(first, own.left);
    return own;
  }

  #own(node: Node<K, V>): Node<K, V> {
    return node.owner === this.#owner ? node : { ...node, owner: this.#owner };
  }
}
