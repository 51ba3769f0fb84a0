from numberline.cli import main

main()
