// Maps in order, of which copies share what none of them has changed since: a copy costs nothing, and a change the way to it.

/** What is kept under a key. */
export interface Entry<V> {
  readonly key: number;
  readonly value: V;
}

/** A node of a treap: a search tree by the keys, and a heap by weights that are drawn, which keep it flat. */
interface Node<V> extends Entry<V> {
  value: V;
  left: Tree<V>;
  right: Tree<V>;
  readonly weight: number;
  /** The map that made the node since it was copied last, and may change it. */
  readonly owner: object;
}

type Tree<V> = Node<V> | undefined;

/** Weights are below this, and take no room of their own. */
const WEIGHTS = 2 ** 30;

/** A map in the order of its keys. */
export class SharedMap<V> {
  #root: Tree<V>;
  #owner = {};

  copy(): SharedMap<V> {
    const copy = new SharedMap<V>();
    copy.#root = this.#root;
    // From now on the nodes are shared, and never changed.
    this.#owner = {};
    return copy;
  }

  get(key: number): V | undefined {
    const found = this.from(key);
    return found?.key === key ? found.value : undefined;
  }

  /** The first entry whose key is not less. */
  from(key: number): Entry<V> | undefined {
    let first: Tree<V>;
    for (let node = this.#root; node !== undefined;) {
      if (node.key < key) {
        node = node.right;
      } else {
        first = node;
        node = node.key === key ? undefined : node.left;
      }
    }
    return first;
  }

  set(key: number, value: V): void {
    this.#root = this.#with(this.#root, key, value);
  }

  delete(key: number): void {
    this.#root = this.#without(this.#root, key);
  }

  /** The entries from a key on and before another, in order, until something is changed. */
  *within(begin: number, end: number): Generator<Entry<V>, undefined> {
    const above: Node<V>[] = [];
    for (let node = this.#root; node !== undefined || above.length > 0;) {
      if (node === undefined) {
        const next = above.pop() as Node<V>;
        if (next.key >= end) return;
        yield next;
        node = next.right;
      } else if (node.key < begin) {
        node = node.right;
      } else {
        above.push(node);
        node = node.left;
      }
    }
  }

  #with(node: Tree<V>, key: number, value: V): Node<V> {
    if (node === undefined) return this.#node(key, value, undefined, undefined, Math.floor(Math.random() * WEIGHTS));
    const own = this.#own(node);
    if (key === own.key) {
      own.value = value;
    } else if (key < own.key) {
      const left = this.#with(own.left, key, value);
      own.left = left;
      if (left.weight > own.weight) {
        own.left = left.right;
        left.right = own;
        return left;
      }
    } else {
      const right = this.#with(own.right, key, value);
      own.right = right;
      if (right.weight > own.weight) {
        own.right = right.left;
        right.left = own;
        return right;
      }
    }
    return own;
  }

  #without(node: Tree<V>, key: number): Tree<V> {
    if (node === undefined) return undefined;
    if (key === node.key) return this.#joined(node.left, node.right);
    const own = this.#own(node);
    if (key < own.key) own.left = this.#without(own.left, key);
    else own.right = this.#without(own.right, key);
    return own;
  }

  /** Two trees as one, of which one ends before the other begins. */
  #joined(first: Tree<V>, second: Tree<V>): Tree<V> {
    if (first === undefined || second === undefined) return first ?? second;
    const own = this.#own(first.weight > second.weight ? first : second);
    if (first.weight > second.weight) own.right = this.#joined(own.right, second);
    else own.left = this.#joined(first, own.left);
    return own;
  }

  #own(node: Node<V>): Node<V> {
    const { key, value, left, right, weight, owner } = node;
    return owner === this.#owner ? node : this.#node(key, value, left, right, weight);
  }

  #node(key: number, value: V, left: Tree<V>, right: Tree<V>, weight: number): Node<V> {
    return { key, value, left, right, weight, owner: this.#owner };
  }
}
